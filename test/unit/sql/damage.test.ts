import { describe, expect, it } from 'vitest';
import { DamageWatch, isDamage } from '../../../adapters/sql/database/damage.ts';
import { readFailure } from '../../../adapters/sql/base/database-error.ts';
import { databaseFault } from '../../../adapters/sql/database/database-fault.ts';
import { MYSQL } from '../../../adapters/sql/mysql/mysql.ts';
import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';

const sqlite = (message: string, errcode?: number): Error =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR' }, errcode && { errcode });
const mysql = (errno: number, sqlMessage = 'x'): Error =>
  Object.assign(new Error(sqlMessage), { errno, sqlMessage, code: `ER_${errno}` });

describe('damage of the database', () => {
  it.each([
    ['SQLITE_CORRUPT', sqlite('database disk image is malformed', 11)],
    ['SQLITE_CORRUPT_INDEX', sqlite('database disk image is malformed', 779)],
    ['SQLITE_NOTADB', sqlite('file is not a database', 26)],
    [
      'SQLITE_CORRUPT that a row meets, without its number',
      sqlite('database disk image is malformed'),
    ],
  ])('is seen in %s, and a read answers with a problem that shows nothing of it', (_, error) => {
    expect(SQLITE.classify(error)).toBe('damaged');
    const answer = readFailure(error, 'damaged');
    expect(answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(answer.message).not.toContain(error.message);
    expect(isDamage(answer)).toBe(true);
    expect(databaseFault('sqlite:///var/data/notary.sqlite', answer)).toMatch(
      /^\/var\/data\/notary\.sqlite is .*Stop the service.*notary restore FILE/,
    );
  });

  it.each([
    [1034, undefined],
    [1035, undefined],
    [1194, undefined],
    [1195, undefined],
    [1712, undefined],
    [1817, undefined],
    [1877, undefined],
    [1030, 'Got error 126 "Index file is crashed" from storage engine InnoDB'],
    [1030, 'Got error 127 - from storage engine'],
    [1030, "Got error: 180 'Index corrupted' from InnoDB"],
  ])('is seen in error %i of MySQL (%s)', (errno, message) => {
    const error = mysql(errno, message);
    expect(MYSQL.classify(error)).toBe('damaged');
    expect(databaseFault('mysql://app:hidden@db:3306/notary', error)).toMatch(
      /^MySQL at db:3306 holds a damaged table or index in notary: .* restore a dump/,
    );
  });

  it('is not seen in other errors', () => {
    for (const error of [
      sqlite('database is locked', 5),
      sqlite('disk I/O error'),
      mysql(1213),
      mysql(1030, 'Got error 28 from storage engine'),
      mysql(1030, 'Got error 1270 from storage engine'),
      Object.assign(new Error('database disk image is malformed'), { code: 'E' }),
    ])
      expect(isDamage(error), error.message).toBe(false);
    expect(SQLITE.classify(sqlite('disk I/O error'))).toBe('lost');
    expect(SQLITE.classify(sqlite('database is locked'))).toBe('contention');
  });

  it('is logged once, and reported from then on', () => {
    const seen: unknown[] = [];
    const watch = new DamageWatch((error) => seen.push(error));
    watch.saw(sqlite('database is locked', 5));
    expect([watch.isDamaged, seen]).toEqual([false, []]);
    const first = sqlite('database disk image is malformed', 11);
    watch.saw(first);
    watch.saw(sqlite('file is not a database', 26));
    expect([watch.isDamaged, seen]).toEqual([true, [first]]);
  });
});
