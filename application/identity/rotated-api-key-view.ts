import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { MintedApiKeySchema, mintedApiKeyView } from './api-key-view.ts';
import type { RotatedKey } from './rotate-key.ts';

export const RotatedApiKeySchema = Type.Object({
  ...MintedApiKeySchema.properties,
  previousKeyId: Uuid,
  previousKeyDeactivatesAt: Timestamp,
});

export const rotatedApiKeyView = (
  rotated: RotatedKey,
  guide: Guide,
): ViewOf<typeof RotatedApiKeySchema> => ({
  ...mintedApiKeyView(rotated, guide),
  previousKeyId: rotated.previousKeyId,
  previousKeyDeactivatesAt: rotated.previousKeyDeactivatesAt,
});
