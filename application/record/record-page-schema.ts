import { pageOf } from '../call/schemas.ts';
import { RecordSchema } from './record-view.ts';

export const RecordPageSchema = pageOf(RecordSchema);
