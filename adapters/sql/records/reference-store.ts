import type { ReferenceStore } from '../../../domain/record/record-store.port.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import { RECORD_REFERENCES } from './reference-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlReferenceStore implements ReferenceStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(reference: Reference, entryPosition: number): Promise<void> {
    this.unit.insert(RECORD_REFERENCES, RECORD_REFERENCES.toRow({ ...reference, entryPosition }));
  }
}
