import type { BatchItem } from "../../app/batch.ts";
import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { requireQuota } from "../../app/quota.ts";
import { defaultJobs, readUploadFiles, type UploadFile } from "../../app/upload-files.ts";
import { many, one } from "../../command/args.ts";
import { integer } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { packageFile, packageFilePath } from "../../forge/packages.ts";
import { bars } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { ownerFlag, ownerOf, parsePackage } from "./name.ts";

/** `tongs package upload`: PUT each file to the generic registry, then compare its hash. */
export const upload = defineCommand({
  summary: "Upload files to a generic package",
  details:
    "Creates the package and the version if they do not exist. The SHA-256 of each file is compared with the one that " +
    "the server computed. Files that the version already has with the same content are skipped, so run the same " +
    "command again to resume an interrupted upload.",
  besideApi: { uses: "the package registry" },
  on: "server",
  effect: "write",
  args: {
    package: one("NAME@VERSION of a generic package"),
    file: many("files to upload; FILE#NAME sets the name in the package", { names: "input file" }),
  },
  flags: { ...ownerFlag, jobs: integer("number of parallel uploads (default: 4)", { min: 1, max: 16 }) },
  output: listOf(packageFile),
  exits: {
    refused: "the version has another file of that name, or the quota is used up",
    partly: "some files were uploaded, some failed",
  },
  examples: [
    ["Upload two files", "tongs package upload charts@1.0.0 map.txt legend.txt"],
    ["Upload a file under another name", "tongs package upload charts@1.0.0 build/out.bin#map.bin --owner tidewater"],
  ],
  async run(context) {
    const { args, flags, out, options, server, system } = context;
    const { name, version, type } = parsePackage(args.package, "generic");
    if (version === undefined) throw new UsageError(`'${args.package}' has no version: use NAME@VERSION`);
    const files = await readUploadFiles(args.file, system);
    const owner = await ownerOf(flags, context);
    await requireQuota(owner, "size:assets:packages:all", files, context);
    const target = { owner, type, name, version };
    const { uploadFile } = await import("./upload-file.ts");
    const progress = await bars({ system, out, quiet: options.quiet });
    const send = async (file: UploadFile): Promise<BatchItem> => {
      const bar = progress.add(file.name);
      try {
        const onProgress = (done: number) => bar.at(done, file.size);
        const { message, record } = await uploadFile(target, { ...file, onProgress }, context);
        const address = packageFilePath(target, file.name);
        return { message, record, prints: `${addressText(server.base)}${address}` };
      } finally {
        bar.end();
      }
    };
    // The first file creates the version: servers can fail if several do so at once.
    let first: Promise<unknown> | undefined;
    const work = async (file: UploadFile): Promise<BatchItem> => {
      if (first !== undefined) {
        await first;
        return send(file);
      }
      const mine = send(file);
      first = mine.catch(() => undefined);
      return mine;
    };
    return batch(files, work, context, { jobs: flags.jobs ?? defaultJobs, name: (file) => file.name });
  },
});
