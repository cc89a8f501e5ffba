import type {
  SinkName,
  SinkPosition,
  SinkPositions,
} from '../../../application/siem/sink-positions.port.ts';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { findOne } from '../tables/find.ts';
import { SIEM_SINKS } from '../events/sink-row.ts';
import type { Reader } from '../tables/reader.ts';
import { changesOf, reseal } from '../tables/reseal.ts';
import type { UnitRunner } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

/** One row a sink. */
export const SINK_IDS: { readonly [sink in SinkName]: string } = {
  file: '00000000-0000-0000-0000-000000000001',
  http: '00000000-0000-0000-0000-000000000002',
};

export class SqlSinkPositions implements SinkPositions {
  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly reader: Reader,
  ) {}

  async find(sink: SinkName): Promise<SinkPosition | null> {
    return positionOf(await findOne(this.reader, SIEM_SINKS, BY_ID, [uuidToSql(SINK_IDS[sink])]));
  }

  async move(sink: SinkName, from: SinkPosition | null, to: SinkPosition): Promise<boolean> {
    const { sequence, id: eventId, numberedAt } = to;
    const row = { id: SINK_IDS[sink], name: sink, sequence, eventId, numberedAt };
    try {
      return await this.unitOfWork.run(async (unit) => {
        const id = uuidToSql(row.id);
        const found = positionOf(
          await findOne(unit, SIEM_SINKS, BY_ID + unit.dialect.forUpdate, [id]),
        );
        if (found?.sequence !== from?.sequence || found?.id !== from?.id) return false;
        if (found) await reseal(unit, SIEM_SINKS, ['id = ?', id], changesOf(CHANGED, row));
        else unit.insert(SIEM_SINKS, SIEM_SINKS.toRow(row));
        return true;
      });
    } catch (error) {
      if (error instanceof DuplicateError) return false;
      throw error;
    }
  }
}

type Row = Parameters<typeof SIEM_SINKS.toRow>[0];

const positionOf = (
  row: Pick<Row, 'sequence' | 'eventId' | 'numberedAt'> | null,
): SinkPosition | null =>
  row && { sequence: Number(row.sequence), id: row.eventId, numberedAt: row.numberedAt };

const BY_ID = `${SIEM_SINKS.select} WHERE id = ?`;
const CHANGED = SIEM_SINKS.only('sequence', 'eventId', 'numberedAt');
