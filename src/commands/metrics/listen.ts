import { defineCommand } from "../../app/define.ts";
import { choiceOr, text, textOr } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText, readListenAddress } from "../../metrics/address.ts";
import { defaultTypesDb } from "../../metrics/encode/types-db.ts";
import { securityLevels } from "../../metrics/network/parts.ts";
import { bufferText, isCut } from "../../metrics/network/receive-buffer.ts";
import { list } from "../../shape/shape.ts";
import { recordDetails, recordFlags, recordSession, refusedExit, statusDetails, whichProtocol } from "./record.ts";
import { readingRecord } from "./records.ts";
import { createRejections, time } from "./rejections.ts";

const standard = { host: "0.0.0.0", port: 25_826 };

export const listen = defineCommand({
  summary: "Receive readings from collectd over its network protocol",
  details:
    "Receives the UDP packets of collectd's network plugin until interrupted, and joins the group of a multicast address. " +
    `Notifications are skipped. ${recordDetails} While the disk is full, new readings are lost. Packets that Linux drops ` +
    "because they arrive too fast are counted and named, with how to allow a larger buffer: up to 32 MiB are used. After " +
    `any loss, the exit code is 11.\n\n${statusDetails}\n\n${whichProtocol}\n\n` +
    "Signed packets are verified and encrypted ones are decrypted with --auth-file, a file of USER: PASSWORD lines. Without " +
    "--security-level, packets that are neither are also accepted, as in collectd; without --auth-file, signed packets " +
    "are accepted unverified. Packets do not contain the names of data sources; they come from types.db.\n\n" +
    "In collectd.conf of the sender:\n\n  LoadPlugin network\n  <Plugin network>\n" +
    '    Server "192.0.2.10" "25826"\n  </Plugin>',
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: {
    udp: textOr(addressText(standard), "address to listen on; port 0 picks a free port", {
      names: "address",
      placeholder: "HOST:PORT",
    }),
    authFile: text("users and passwords, as AuthFile of collectd", { names: "password", placeholder: "FILE" }),
    securityLevel: choiceOr(securityLevels, "none", "reject packets below this level"),
    typesDb: text(`names of data sources (default: ${defaultTypesDb})`, { names: "input file", placeholder: "FILE" }),
    ...recordFlags,
  },
  output: list(readingRecord),
  exits: { refused: refusedExit, partly: "readings were lost: disk full, packets dropped, or refused by the engine" },
  examples: [
    ["Record what all hosts send", "tongs metrics listen --to readings.bin --rotate 1d"],
    [
      "Accept only encrypted packets",
      "tongs metrics listen --auth-file users --security-level encrypt --to readings.bin",
    ],
  ],
  async run({ system, options, out, flags }) {
    const address = readListenAddress(flags.udp, standard);
    const level = flags.securityLevel;
    if (level !== "none" && flags.authFile === undefined) throw new UsageError("--security-level requires --auth-file");
    const [{ listenForPackets }, { loadPacketRules }] = await Promise.all([
      import("../../metrics/network/listen.ts"),
      import("../../metrics/network/rules.ts"),
    ]);
    const rules = loadPacketRules(system, flags, level);
    const rejections = createRejections(out, ["Rejected", "packet", "packets"], system.now);
    return recordSession({ system, options, out, flags }, { answers: false }, async ({ take }) => {
      const listener = await listenForPackets(address, {
        rules,
        onReading: take,
        // Without the port and the position, so that a sender is named once.
        onFault: (sender, { message }) =>
          rejections.add(`Rejected a packet of ${sender.replace(/:\d+$/, "")}: ${message}`),
      });
      if (rules.types.size === 0 && flags.typesDb === undefined)
        out.warn(`No types.db (${defaultTypesDb}): data sources have no names. Use --types-db FILE.`);
      out.note(`Listening on ${addressText({ ...address, port: listener.port })} (UDP)`);
      const buffer = bufferText(listener.buffer, system.platform);
      if (listener.counts().dropped === undefined)
        out.note("This system does not tell how many packets it drops because they come too fast");
      else if (isCut(listener.buffer, system.platform)) out.note(`${buffer.replace(/^t/, "T")}.`);
      const lost = { dropped: 0, late: 0 };
      let ticks = 0;
      const tick = () => {
        ticks += 1;
        const isMinute = ticks % 60 === 0;
        const { dropped = 0, late } = listener.counts();
        rejections.tick();
        // At once, and then once a minute.
        if (dropped > lost.dropped && (lost.dropped === 0 || isMinute)) {
          const more = `${dropped - lost.dropped} ${lost.dropped === 0 ? "" : "more "}packets`;
          out.warn(`The system dropped ${more} until ${time(system.now())}: ${buffer}`);
          lost.dropped = dropped;
        }
        if (late > lost.late && (lost.late === 0 || isMinute)) {
          out.warn(
            `${late - lost.late} packets were lost until ${time(system.now())}: they come faster than this machine records`,
          );
          lost.late = late;
        }
      };
      const losses = () => {
        const { dropped = 0, late } = listener.counts();
        return [
          ...(dropped === 0 ? [] : [`the system dropped ${dropped} ${dropped === 1 ? "packet" : "packets"}`]),
          ...(late === 0
            ? []
            : [`${late} ${late === 1 ? "packet" : "packets"} came faster than they could be recorded`]),
        ];
      };
      const counts = () => {
        const { dropped, late, lag } = listener.counts();
        return {
          // What is not known is not 0.
          lost: {
            ...(dropped === undefined ? {} : { "packets that the system dropped": dropped }),
            "packets that came too fast": late,
          },
          refused: { packets: rejections.count() },
          lag,
        };
      };
      const close = () => listener.close().then(rejections.end);
      return { tick, counts, losses, close };
    });
  },
});
