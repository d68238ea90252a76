/** What a runner writes into an inherited file before each turn: the host reads it when a turn takes too long, and after a death. */
export type Mark = {
  /** Counts turns; 0 before the first. */
  turn: number;
  running: boolean;
  /** The plugin's number, or 0 for none. */
  plugin: number;
  handler: number;
  /** The host's id of the call the turn belongs to, or 0. */
  call: number;
  sliceMs: number;
  /** Resident memory of the runner before the turn, as last seen. */
  bytes: number;
  /** The plugin in whose turns most memory came, and how much. */
  largest: number;
  largestBytes: number;
};

export const NO_MARK: Mark = { turn: 0, running: false, plugin: 0, handler: 0, call: 0, sliceMs: 0, bytes: 0, largest: 0, largestBytes: 0 };
export const MARK_BYTES = 56;

export function writeMark(into: Buffer, mark: Mark): void {
  into.writeUInt32LE(mark.turn, 0);
  into.writeUInt32LE(mark.running ? 1 : 0, 4);
  into.writeUInt32LE(mark.plugin, 8);
  into.writeInt32LE(mark.handler, 12);
  into.writeUInt32LE(mark.call, 16);
  into.writeUInt32LE(mark.sliceMs, 20);
  into.writeUInt32LE(mark.largest, 24);
  into.writeDoubleLE(mark.bytes, 32);
  into.writeDoubleLE(mark.largestBytes, 40);
  // A reader that finds two counts met a write half done.
  into.writeUInt32LE(mark.turn, 52);
}

/** The mark, or undefined where it was read while it was written. */
export function readMark(from: Buffer): Mark | undefined {
  const turn = from.readUInt32LE(0);
  if (turn !== from.readUInt32LE(52)) return undefined;
  return {
    turn,
    running: from.readUInt32LE(4) === 1,
    plugin: from.readUInt32LE(8),
    handler: from.readInt32LE(12),
    call: from.readUInt32LE(16),
    sliceMs: from.readUInt32LE(20),
    largest: from.readUInt32LE(24),
    bytes: from.readDoubleLE(32),
    largestBytes: from.readDoubleLE(40),
  };
}
