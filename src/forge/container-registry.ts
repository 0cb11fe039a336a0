import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Infer, list, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";
import { operation, respond } from "./operation.ts";
import type { VersionName } from "./packages.ts";

const descriptor = serverRecord("a descriptor", { digest: string });

/** What is read of a manifest of the OCI image format, or of Docker's. */
const manifest = serverRecord("a manifest", {
  /** Of an index: the manifests that are its parts. */
  manifests: optional(nullable(list(using(descriptor, "digest")))),
  /** Of a signature, an attestation …: the manifest that it is attached to. */
  subject: optional(nullable(using(descriptor, "digest"))),
});

const mediaTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** The largest manifest that servers take, in bytes. */
const maxManifest = 10 * 1024 * 1024;

/** `{manifest}` is `IMAGE/manifests/REFERENCE`: the names of images have slashes. */
export const manifestGet = operation("GET", "/v2/{owner}/{manifest}", {
  answers: json(manifest, maxManifest),
  web: true,
  registry: true,
});

/** A manifest of an image, and what it refers to, by digests. */
export interface Manifest {
  /** Undefined if the registry does not say it. */
  readonly digest: string | undefined;
  readonly parts: readonly string[];
  readonly subject: string | undefined;
}

/** Reads the manifest of a tag or a digest: GET /v2/…/manifests/… of the OCI distribution specification. */
export async function readManifest(http: Http, { owner, name, version }: VersionName): Promise<Manifest> {
  const found = await respond(
    http,
    manifestGet,
    // Image names, and owners in them, are in lower case.
    { owner: owner.toLowerCase(), manifest: `${name.toLowerCase()}/manifests/${version}` },
    undefined,
    { headers: { accept: mediaTypes.join(", ") } },
  );
  const { manifests, subject }: Infer<typeof manifest> = found.value;
  return {
    digest: found.headers["docker-content-digest"],
    parts: (manifests ?? []).map(({ digest }) => digest),
    subject: subject?.digest,
  };
}
