import { describe, expect, it } from 'vitest';
import { csvRow } from '../../../domain/kernel/csv.ts';

describe('a row of CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'shows %j as text, which no spreadsheet computes',
    (cell) => {
      expect(csvRow([cell])).toMatch(/^"?'/);
    },
  );

  it('quotes what holds a comma, a quote or a line break (RFC 4180)', () => {
    expect(csvRow(['a,b', 'say "no"', 'two\nlines', 'plain', ''])).toBe(
      '"a,b","say ""no""","two\nlines",plain,\r\n',
    );
  });
});
