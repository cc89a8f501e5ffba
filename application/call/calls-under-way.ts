/** Whether somebody waits for what background work takes: this process, or the lock of the database. */
export type CallersWait = () => boolean;

/** Calls that are performed right now, whichever front-end brought them. Who works in the background looks whether anybody waits. */
export class CallsUnderWay {
  private count = 0;

  get areAny(): boolean {
    return this.count > 0;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.count++;
    try {
      return await work();
    } finally {
      this.count--;
    }
  }
}
