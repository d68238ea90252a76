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
};

export const MARK_BYTES = 32;

export function writeMark(into: Buffer, mark: Mark): void {
  into.writeUInt32LE(mark.turn, 0);
  into.writeUInt32LE(mark.running ? 1 : 0, 4);
  into.writeUInt32LE(mark.plugin, 8);
  into.writeInt32LE(mark.handler, 12);
  into.writeUInt32LE(mark.call, 16);
  into.writeUInt32LE(mark.sliceMs, 20);
  // A reader that finds two counts met a write half done.
  into.writeUInt32LE(mark.turn, 28);
}

/** The mark, or undefined where it was read while it was written. */
export function readMark(from: Buffer): Mark | undefined {
  const turn = from.readUInt32LE(0);
  if (turn !== from.readUInt32LE(28)) return undefined;
  return {
    turn,
    running: from.readUInt32LE(4) === 1,
    plugin: from.readUInt32LE(8),
    handler: from.readInt32LE(12),
    call: from.readUInt32LE(16),
    sliceMs: from.readUInt32LE(20),
  };
}
