/** What one plugin sends faster than the host takes it. What waits is held by the runner, whose memory all of its plugins share. */
export type Flood = {
  /** Whether a text that is only shown may go out now; what may not is dropped. */
  mayShow(chars: number, backlogBytes: number): boolean;
  /** Whether a request may go out now: not where most of what waits is the plugin's own. */
  mayAsk(chars: number, backlogBytes: number): boolean;
  /** Characters that were dropped since the last time, once texts go out again. */
  dropped(backlogBytes: number): number;
};

const SHOWN_BYTES = 16 * 1024 * 1024;
const ASKED_BYTES = 64 * 1024 * 1024;
const OWN_CHARS = 32 * 1024 * 1024;
/** So little waits that nobody is in the way of anybody. */
const CALM_BYTES = 1024 * 1024;

export function createFlood(): Flood {
  let own = 0;
  let left = 0;
  return {
    mayShow(chars, backlogBytes) {
      if (backlogBytes <= SHOWN_BYTES) return true;
      left += chars;
      return false;
    },
    mayAsk(chars, backlogBytes) {
      own = backlogBytes < CALM_BYTES ? chars : own + chars;
      return backlogBytes <= ASKED_BYTES || own <= OWN_CHARS;
    },
    dropped(backlogBytes) {
      const count = backlogBytes < CALM_BYTES ? left : 0;
      if (count > 0) left = 0;
      return count;
    },
  };
}
