/** Whether this process is about to stop. Streams end by it, so that whoever reads them goes on elsewhere. */
export class Draining {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    this.controller.abort();
  }
}
