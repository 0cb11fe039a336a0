import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { foreseeLater } from "../../app/dry-run.ts";
import { requireQuota } from "../../app/quota.ts";
import { defaultJobs, readUploadFiles, type UploadFile } from "../../app/upload-files.ts";
import { many, one } from "../../command/args.ts";
import { integer, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { releaseAsset, releaseAssetDelete } from "../../forge/releases.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { assetsSubject, uploadAssets } from "./assets.ts";
import { assetsOf, findRelease, releaseArgument, releaseName } from "./find-release.ts";

/** `tongs release upload`: POST each file as an asset. A file of the same name is replaced after the new one is there. */
export const upload = defineCommand({
  summary: "Upload files to a release",
  details: "--clobber deletes the old file after the new one is uploaded. That cannot be undone.",
  on: "repository",
  effect: "write",
  args: {
    tag: one(releaseArgument, { source: "release" }),
    file: many("files to upload; FILE#NAME sets the name of the asset", { names: "input file" }),
  },
  flags: {
    clobber: toggle("replace assets with the same name", { aliases: [{ name: "overwrite" }] }),
    jobs: integer("number of parallel uploads (default: 4)", { min: 1, max: 16 }),
  },
  output: listOf(releaseAsset),
  exits: {
    refused: "an asset with the same name exists, or the quota is used up",
    partly: "some files were uploaded, some failed",
  },
  examples: [
    ["Upload two files to the latest release", "tongs release upload latest dist/tongs.tar.gz dist/tongs.deb"],
    ["Replace an asset", "tongs release upload v1.2.0 dist/tongs.tar.gz --clobber"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, system } = context;
    const files = await readUploadFiles(args.file, system);
    const found = await findRelease(args.tag, context);
    const name = releaseName(found, context);
    const taken = files.filter((file) => assetsOf(found).some((asset) => asset.name === file.name));
    if (taken.length > 0 && !flags.clobber) {
      const names = taken.map((file) => file.name).join(", ");
      throw new Failure("exists", `Already assets of ${name}: ${names}`, {
        hint: "Pass --clobber to replace them.",
      });
    }
    const why = taken.length > 0 ? releaseAssetDelete.undo?.cannot : undefined;
    foreseeLater(context, `The deletion of the old ${taken.map((file) => file.name).join(", ")}`, why);
    await requireQuota(repo.owner, assetsSubject, files, context);
    const work = async (file: UploadFile) => {
      const { assets, failed } = await uploadAssets(found, [file], context, 1);
      const [record] = assets;
      if (record === undefined) throw failed[0]?.failure ?? new Error("nothing was uploaded");
      const replaced = assetsOf(found).filter((asset) => asset.name === file.name);
      for (const old of replaced) {
        await call(http, releaseAssetDelete, { repo, id: found.id, attachment_id: old.id });
      }
      const uploaded = `Uploaded ${file.name} (${sizeText(file.size)}) to ${name} ${accountLabel(server)}`;
      const message =
        replaced.length === 0 ? uploaded : `${uploaded}; the old file was deleted, which cannot be undone`;
      return { message, prints: record.browser_download_url ?? record.id, record };
    };
    return batch(files, work, context, { jobs: flags.jobs ?? defaultJobs, name: (file) => file.name });
  },
});
