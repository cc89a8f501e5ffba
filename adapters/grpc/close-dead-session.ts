import type { ServerHttp2Session } from 'node:http2';

const CHECK_MS = 1_000;
const PING_MS = 2_000;

/**
 * Closes a connection on which HTTP/2 has ended with an error. nghttp2 sends GOAWAY for a header name or value above
 * 64 KiB (COMPRESSION_ERROR, RFC 9113 section 4.3) and reads nothing more, but Node leaves the connection open (seen in
 * 20.20). The GOAWAY counts the call as processed, so clients of the gRPC core wait for its answer until their deadline.
 *
 * Such a connection has a stream that Node never reported. Others have one too while its headers arrive or if they were
 * refused, so a ping decides: a dead connection does not acknowledge it.
 */
export const closeDeadSession = (session: ServerHttp2Session): void => {
  let known = 0;
  session.on('stream', ({ id }) => void (known = id ?? known));
  const check = setInterval(() => {
    const newest = session.state.lastProcStreamID ?? 0;
    if (session.destroyed || newest <= known) return;
    known = newest;
    const unanswered = setTimeout(() => session.destroy(), PING_MS);
    session.ping(() => clearTimeout(unanswered));
  }, CHECK_MS).unref();
  session.once('close', () => clearInterval(check));
};
