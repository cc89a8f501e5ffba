/**
 * Lets a background job run on one node at a time.
 *
 * A lease ends by itself, so a node that dies holds nobody up for longer than it asked for. Nodes whose clocks
 * differ agree, because the database's clock decides. A job must bear to run twice all the same: a node that was
 * stopped for longer than its lease does not know that it lost it.
 */
export interface JobLeases {
  /** False where another node holds it. */
  acquire(job: string, forMs: number): Promise<boolean>;
  /** The same, waiting for whoever holds it; false where that takes longer than `waitMs`. */
  acquireWithin(job: string, forMs: number, waitMs: number): Promise<boolean>;
  /** Gives the lease back and records the run. `failure` is null where it went well. */
  release(
    job: string,
    run: { readonly durationMs: number; readonly failure: string | null },
  ): Promise<void>;
  /** What goes wrong in a run that goes on, such as a sink that takes nothing; null: nothing any more. Without the lease it says nothing. */
  tell(job: string, failure: string | null): Promise<void>;
  /** Records that this process looks after these jobs, whoever runs them. */
  seen(jobs: readonly SeenJob[]): Promise<void>;
}

export interface SeenJob {
  readonly name: string;
  /** How often it looks whether there is work to do. */
  readonly everyMs: number;
}
