/**
 * Jobs of many owners. They take turns: whoever has a job waiting is served after at most one job of
 * each other owner, however many those have.
 */
export class FairQueue<Job> {
  /** In the order of their turns; an owner without a job is absent. */
  private readonly lines = new Map<string, Job[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  lengthOf(owner: string): number {
    return this.lines.get(owner)?.length ?? 0;
  }

  push(owner: string, job: Job): void {
    const line = this.lines.get(owner);
    if (line) line.push(job);
    else this.lines.set(owner, [job]);
    this.count++;
  }

  /** The next job of the next owner who may be served, who then goes to the end. */
  shift(mayServe: (owner: string) => boolean): Job | undefined {
    for (const [owner, line] of this.lines) {
      if (!mayServe(owner)) continue;
      const job = line.shift();
      this.lines.delete(owner);
      if (line.length > 0) this.lines.set(owner, line);
      this.count--;
      return job;
    }
    return undefined;
  }

  /** Takes everything out. */
  clear(): readonly Job[] {
    const jobs = [...this.lines.values()].flat();
    this.lines.clear();
    this.count = 0;
    return jobs;
  }
}
