/** After each handshake without success, s; the last one for as long as it takes. */
export const HANDSHAKE_WAITS_SECONDS = [5, 15, 40, 90, 150, 300] as const;
/** When a handshake is sent again that was taken, ms: a hub that did not register this one forgets it after 7 days. */
export const HANDSHAKE_AGAIN_MS = 86_400_000;

/** No next handshake is put off further than this, ms, with room for clocks that are apart. */
export const longestHandshakeWait = (attempts: number): number =>
  2 * (attempts > 0 ? HANDSHAKE_WAITS_SECONDS.at(-1)! * 1_000 : HANDSHAKE_AGAIN_MS);
