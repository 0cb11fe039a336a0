// @ts-check
// Receives UDP packets in a thread that does nothing else, and passes them on in large pieces: while the main thread works
// on them, the system would drop what its own buffer has no room for.
const { createSocket } = require("node:dgram");
const { parentPort, workerData } = require("node:worker_threads");

/**
 * @typedef {object} Settings
 * @property {"udp4" | "udp6"} type
 * @property {string} host
 * @property {number} port
 * @property {string} [group] A multicast address to join,
 * @property {string} [via] by this interface.
 * @property {number} receiveBuffer The size to ask the system for, in bytes.
 * @property {number} most How many bytes may wait for the main thread.
 * @property {Int32Array} waiting How many do: added to here, subtracted from there.
 */

const pieceSize = 512 * 1024;
// How long a piece is gathered that is not full.
const gatherMilliseconds = 5;
// The length of a packet, the port of its sender, and the length of its address.
const headSize = 5;
const largestPacket = 65_536 + headSize + 64;

/** @type {Settings} */
const { type, host, port, group, via, receiveBuffer, most, waiting } = workerData;
const socket = createSocket({ type, reuseAddr: group !== undefined });
let piece = Buffer.allocUnsafeSlow(pieceSize);
let [used, count, lost, received, since] = [0, 0, 0, 0, 0];
let isPassing = false;

/** Passes on what has come. */
function pass() {
  isPassing = false;
  if (count === 0 && lost === 0) return;
  const { buffer } = piece;
  parentPort?.postMessage({ buffer, used, count, lost, since }, [/** @type {ArrayBuffer} */ (buffer)]);
  Atomics.add(waiting, 0, used);
  piece = Buffer.allocUnsafeSlow(pieceSize);
  [used, count, lost] = [0, 0, 0];
}

socket.on("message", (packet, sender) => {
  received += 1;
  if (!isPassing) {
    isPassing = true;
    since = Date.now();
    setTimeout(pass, gatherMilliseconds);
  }
  if (Atomics.load(waiting, 0) + used > most) {
    lost += 1;
    return;
  }
  const address = sender.address;
  piece.writeUInt16LE(packet.length, used);
  piece.writeUInt16LE(sender.port, used + 2);
  const length = piece.write(address, used + headSize, "latin1");
  piece.writeUInt8(length, used + 4);
  packet.copy(piece, used + headSize + length);
  used += headSize + length + packet.length;
  count += 1;
  if (used + largestPacket > pieceSize) pass();
});

/** @param {unknown} error */
function fail(error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  parentPort?.postMessage({ failed: code });
  parentPort?.close();
}

/** The size that the system grants, at most `receiveBuffer`. Linux grants less by itself, others refuse what is too large. */
function askForBuffer() {
  for (let size = receiveBuffer; size >= 64 * 1024; size /= 2) {
    try {
      socket.setRecvBufferSize(size);
      break;
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
    }
  }
  return socket.getRecvBufferSize();
}

socket.once("error", fail);
socket.bind(port, host, () => {
  try {
    if (group !== undefined) socket.addMembership(group, via);
    socket.off("error", fail);
    parentPort?.postMessage({ listening: socket.address().port, granted: askForBuffer() });
  } catch (error) {
    socket.close();
    fail(error);
  }
});

/** Waits until the socket is empty: a sender that never pauses does not keep it, because what it held at first is less. */
async function close() {
  const limit = received + Math.ceil(socket.getRecvBufferSize() / 256);
  for (let idle = 0; idle < 2 && received < limit; idle += 1) {
    const before = received;
    // The first may come before the socket is looked at.
    await new Promise((resolve) => setImmediate(resolve));
    if (received > before) idle = -1;
  }
  pass();
  parentPort?.postMessage({ ended: true });
}

parentPort?.on("message", (/** @type {"empty" | "socket"} */ what) => {
  if (what === "empty") return void close();
  socket.close();
  parentPort?.close();
});
