import { text, toggle, yesNo } from "../../command/flags.ts";

/** Flags of connections with TLS, with the options of collectd's grpc plugin that they correspond to. */
export const tlsFlags = {
  tls: toggle("use TLS (EnableSSL)"),
  ca: text("certificate authority of the other side, as PEM (SSLCACertificateFile)", { placeholder: "FILE" }),
  cert: text("own certificate, as PEM (SSLCertificateFile)", { placeholder: "FILE" }),
  key: text("key of the own certificate, as PEM (SSLCertificateKeyFile)", { placeholder: "FILE" }),
};

/** The same for a server. */
export const serverTlsFlags = {
  ...tlsFlags,
  verifyPeer: yesNo("require a client certificate that --ca signed (VerifyPeer; the default with --ca)"),
};
