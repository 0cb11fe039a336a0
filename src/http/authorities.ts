/** The certificate authorities for a connection: those that Node trusts, and the ones named besides. */
export async function authorities(ca: string | undefined): Promise<{ readonly ca?: string[] }> {
  if (ca === undefined) return {};
  const tls = await import("node:tls");
  const trusted = "getCACertificates" in tls ? (tls.getCACertificates as () => string[])() : tls.rootCertificates;
  return { ca: [...trusted, ca] };
}
