import type { Witness } from '../../../domain/identity/witness.ts';
import type { WitnessReads } from '../../../domain/identity/witness-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { findOne } from '../tables/find.ts';
import { WITNESSES } from './witness-row.ts';
import type { Reader } from '../tables/reader.ts';
import { WITNESS_BY_ID } from './witness-store.ts';
import { uuidToSql } from '../base/values.ts';
import { newestFirst, type Lister } from '../listing/keyset.ts';

export class SqlWitnessReads implements WitnessReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(witnessKeyId: Uuid): Promise<Witness | null> {
    return findOne(this.reader, WITNESSES, WITNESS_BY_ID, [uuidToSql(witnessKeyId)]);
  }

  list(slice: SliceRequest): Promise<Slice<Witness>> {
    return this.lister.slice(
      newestFirst(WITNESSES, (query) => query),
      slice,
    );
  }
}
