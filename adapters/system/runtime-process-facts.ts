import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type {
  ProcessFacts,
  ProcessState,
} from '../../application/operations/process-facts.port.ts';

const RESOLUTION_MS = 50;

/** The runtime's own numbers. The delay of the event loop is watched from the first look on. */
export class RuntimeProcessFacts implements ProcessFacts {
  private delay: IntervalHistogram | null = null;

  state(): ProcessState {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      pid: process.pid,
      uptimeSeconds: Math.floor(process.uptime()),
      nodeVersion: process.version,
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      eventLoopDelayMs: this.longestDelay(),
    };
  }

  private longestDelay(): number {
    if (!this.delay) {
      this.delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.delay.enable();
      return 0;
    }
    const { max, count } = this.delay;
    this.delay.reset();
    // What it measures holds the interval of its timer.
    return count === 0 ? 0 : Math.max(0, Math.round(max / 1e4) / 100 - RESOLUTION_MS);
  }
}
