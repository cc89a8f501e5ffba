import type { Findings } from '../../report/report.ts';
import type { DumpFile } from './dump-rows.ts';
import type { DumpSource } from './dump-source.port.ts';
import { dumpRows, type DumpRow } from './read-dump-rows.ts';

/** Walks the rows of a file that can be read; the others were reported. */
export class RowCursor<Members> {
  /** Null at the end. */
  next: DumpRow<Members> | null = null;
  private readonly rows: AsyncIterator<DumpRow<Members> | null>;

  constructor(source: DumpSource, file: DumpFile, findings: Findings) {
    this.rows = dumpRows<Members>(source, file, findings)[Symbol.asyncIterator]();
  }

  async advance(): Promise<void> {
    for (;;) {
      const { done, value } = await this.rows.next();
      this.next = done ? null : value;
      if (done || value) return;
    }
  }
}
