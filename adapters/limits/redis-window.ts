import { createHmac } from 'node:crypto';
import type { RateDecision, RateWindow } from '../../application/ports/rate-limiter.port.ts';
import { secondsLeft, tightestOf, UNLIMITED, WINDOW_MS } from './rate-decision.ts';

/** The commands of a Redis server that the window is made of. */
export interface RedisCommands {
  /** Runs WINDOW_SCRIPT. */
  window(keys: readonly string[], args: readonly (string | number)[]): Promise<readonly number[]>;
}

/**
 * Counts in all windows or in none, in one atomic step. Calls are kept by the second as SlidingWindowLimiter keeps them,
 * packed as [last, count, last, count, …], so the bound holds strictly here as well. A key expires with its last call.
 *
 * ARGV: the time in ms, empty for that of the server, which all nodes share; 1 to count, 0 to look; then limit and cost
 * of each key. The answer: the time; 1 where allowed; then for each key the calls in its window, the time of the newest
 * (0: none), and of the call with which there is room for the cost (0: there is none).
 *
 * Where the clock of the server went back, calls of the future count as calls of now: they never block longer than a minute.
 */
export const WINDOW_SCRIPT = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local answer = { now, 1 }
local windows = {}
for i, key in ipairs(KEYS) do
  local limit, cost = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  local packed = redis.call('GET', key)
  local stored = packed and cmsgpack.unpack(packed) or {}
  local slots, total = {}, 0
  for s = 1, #stored, 2 do
    local last = math.min(stored[s], now)
    if last > now - ${WINDOW_MS} then
      slots[#slots + 1] = last
      slots[#slots + 1] = stored[s + 1]
      total = total + stored[s + 1]
    end
  end
  local roomAt = 0
  if total + cost > limit then
    answer[2] = 0
    local left = 0
    for s = 1, #slots, 2 do
      left = left + slots[s + 1]
      if left >= total + cost - limit then
        roomAt = slots[s]
        break
      end
    end
  end
  windows[i] = { key, slots, total, cost, roomAt }
end
for _, window in ipairs(windows) do
  local key, slots, total, cost, roomAt = unpack(window)
  if answer[2] == 1 and ARGV[2] == '1' and cost > 0 then
    total = total + cost
    local newest = slots[#slots - 1]
    if newest and math.floor(newest / 1000) == math.floor(now / 1000) then
      slots[#slots - 1] = now
      slots[#slots] = slots[#slots] + cost
    else
      slots[#slots + 1] = now
      slots[#slots + 1] = cost
    end
    redis.call('SET', key, cmsgpack.pack(slots), 'PX', ${WINDOW_MS})
  end
  answer[#answer + 1] = total
  answer[#answer + 1] = slots[#slots - 1] or 0
  answer[#answer + 1] = roomAt
end
return answer
`;

/** The sliding window, with its counts in Redis. */
export class RedisWindow {
  /**
   * @param secret keys of the store are MACs under it: nobody who reads the store learns who calls, and deployments
   *   that share a store do not meet.
   * @param now for tests; the clock of the server by default.
   */
  constructor(
    private readonly commands: RedisCommands,
    private readonly secret: Uint8Array,
    private readonly now?: () => number,
  ) {}

  /** @throws what the store throws. */
  async ask(
    windows: readonly RateWindow[],
    cost: number,
    isCounted: boolean,
  ): Promise<RateDecision> {
    const limited = windows.filter(({ limit }) => limit > 0);
    if (limited.length === 0) return UNLIMITED;
    const costs = limited.map((window) => window.cost ?? cost);
    const answer = await this.commands.window(
      limited.map(({ key }) => this.nameOf(key)),
      [
        this.now ? Math.floor(this.now()) : '',
        isCounted ? 1 : 0,
        ...limited.flatMap(({ limit }, at) => [limit, costs[at]!]),
      ],
    );
    return decisionOf(limited, costs, answer);
  }

  /** The braces keep all keys in one slot of a cluster, where a script takes no others together. */
  private nameOf(key: string): string {
    return `{notary-limits}:${createHmac('sha256', this.secret).update(key).digest('base64url')}`;
  }
}

const decisionOf = (
  windows: readonly RateWindow[],
  costs: readonly number[],
  answer: readonly number[],
): RateDecision => {
  const [now, isAllowed] = answer as [number, number];
  return tightestOf(
    windows.map(({ limit }, at) => {
      const [total, newest, roomAt] = answer.slice(2 + 3 * at) as [number, number, number];
      const allowed = isAllowed === 1 || total + costs[at]! <= limit;
      const wait = roomAt === 0 ? WINDOW_MS / 1000 : secondsLeft(roomAt, now);
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - total),
        resetSeconds: newest === 0 ? 0 : secondsLeft(newest, now),
        retryAfterSeconds: allowed ? 0 : wait,
      };
    }),
  );
};
