import { defineCommand } from "../../app/define.ts";
import { choiceOr, text, textOr } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText, readListenAddress } from "../../metrics/address.ts";
import { defaultTypesDb } from "../../metrics/encode/types-db.ts";
import { securityLevels } from "../../metrics/network/parts.ts";
import { list } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { recordDetails, recordFlags, recordSession } from "./record.ts";
import { readingRecord } from "./records.ts";

// In a minute: senders and faults can be made up. Further packets are only counted.
const maxWarnings = 10;
const ticksBetween = 60;

const standard = { host: "0.0.0.0", port: 25_826 };

export const listen = defineCommand({
  summary: "Receive readings from collectd over its network protocol",
  details:
    "Receives the UDP packets of collectd's network plugin until interrupted, and joins the group of a multicast address. " +
    `Notifications are skipped. ${recordDetails} While the disk is full, new readings are lost. Packets that Linux drops ` +
    "because they arrive too fast are counted; net.core.rmem_max limits its buffer, of which up to 4 MiB are used. After " +
    "either loss, the exit code is 11.\n\n" +
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
  exits: {
    refused: "another process records to the file or forwards from the spool, or they are something else",
    partly: "readings were lost: the disk was full, the system dropped packets, or the engine refused them",
  },
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
    const named = new Set<string>();
    let [most, more, ticks] = [maxWarnings, 0, 0];
    const reject = (sender: string, message: string) => {
      // Without the port and the position, so that a sender is named once.
      const warning = `Rejected a packet of ${sender.replace(/:\d+$/, "")}: ${message}`;
      if (named.has(warning) || named.size === most) more += 1;
      else out.warn(warning);
      if (named.size < most) named.add(warning);
    };
    const countRejected = () => {
      if (more > 0) out.warn(`Rejected ${more} more ${more === 1 ? "packet" : "packets"} until ${time(system.now())}`);
      [most, more] = [named.size + maxWarnings, 0];
    };
    return recordSession({ system, options, out, flags }, { answers: false }, async (onReading) => {
      const listener = await listenForPackets(address, {
        rules,
        onReading,
        onFault: (sender, { message }) => reject(sender, message),
      });
      if (rules.types.size === 0 && flags.typesDb === undefined)
        out.warn(`No types.db (${defaultTypesDb}): data sources have no names. Use --types-db FILE.`);
      out.note(`Listening on ${addressText({ ...address, port: listener.port })} (UDP)`);
      let warned = false;
      const tick = () => {
        ticks += 1;
        if (ticks % ticksBetween === 0) countRejected();
        if (warned || listener.dropped() === 0) return;
        warned = true;
        out.warn(`The system drops packets: its receive buffer of ${sizeText(listener.buffer)} is full`);
      };
      const close = () => listener.close().then(countRejected);
      return { ...listener, tick, close };
    });
  },
});

function time(now: Date): string {
  return now.toISOString().replace(/\.\d+/, "");
}
