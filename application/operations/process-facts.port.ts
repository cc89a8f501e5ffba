/** What the runtime says of this process. */
export interface ProcessState {
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly nodeVersion: string;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  /** How long the event loop kept others waiting, at most, since the last look, ms. */
  readonly eventLoopDelayMs: number;
}

/** Reads alone; never throws. */
export interface ProcessFacts {
  state(): ProcessState;
}
