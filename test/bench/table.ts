export interface Row {
  readonly what: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** Share of the limit that is named. */
  readonly ratio?: number;
  readonly of?: string;
  readonly note?: string;
}

export const printTable = (rows: readonly Row[]): void => {
  const cells = [
    ['', 'per second', 'p50 ms', 'p99 ms', 'ratio', 'of'],
    ...rows.map((row) => [
      row.what,
      Math.round(row.perSecond).toLocaleString('en'),
      number(row.p50),
      number(row.p99),
      row.ratio === undefined ? '' : row.ratio.toFixed(3),
      [row.of, row.note].filter(Boolean).join('; '),
    ]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  for (const row of cells)
    process.stdout.write(
      `${row
        .map((cell, column) =>
          column === 0 || column === 5
            ? cell.padEnd(widths[column]!)
            : cell.padStart(widths[column]!),
        )
        .join('  ')
        .trimEnd()}\n`,
    );
};

const number = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1));
