import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { SchemaName } from '../../domain/record-type/examine-manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import type { VerifiedTypes } from './verified-types.ts';

export interface PublicSchemaInput {
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly name: SchemaName;
}

/** A JSON Schema of a type whose manifest says that it is public. Any other is answered like one that does not exist. */
export class GetPublicSchema {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly verifiedTypes: VerifiedTypes,
  ) {}

  /** @throws NOT_FOUND, CONFLICT with reason payload_drift */
  async execute({ publisher, type, version, name }: PublicSchemaInput): Promise<JsonObject> {
    const found = Number.isSafeInteger(version)
      ? await this.recordTypes.published(publisher, type, version)
      : null;
    if (!found?.manifest.public) throw notFound('schema');
    await this.verifiedTypes.assert(found);
    return name === 'criteria' ? found.manifest.criteriaSchema : found.manifest.completionSchema;
  }
}
