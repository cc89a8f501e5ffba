import type { CallContext } from '../call/call-context.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { FindType, NamedType } from './find-type.ts';

/** Reads one version of a record type. */
export class GetType {
  constructor(private readonly findType: FindType) {}

  /** @throws NOT_FOUND, AMBIGUOUS_PUBLISHER with publishers[] */
  execute(context: CallContext, input: NamedType): Promise<RecordType> {
    return this.findType.find(context, input);
  }
}
