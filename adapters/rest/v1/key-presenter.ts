import { Type } from 'typebox';
import {
  ApiKeySchema as KeyRowSchema,
  MintedApiKeySchema as MintedKeySchema,
  apiKeyView,
  mintedApiKeyView,
} from '../../../application/identity/api-key-view.ts';
import type { IssuedKey } from '../../../application/identity/issue-key.ts';
import type { View } from '../../http/route.ts';
import { stepsTo } from '../guidance.ts';
import { GUIDANCE } from '../wire.ts';

export { KeyRowSchema, MintedKeySchema, apiKeyView as presentKeyRow };

export const ChangedKeySchema = Type.Object({
  ...KeyRowSchema.properties,
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

export const presentMintedKey = (issued: IssuedKey, view: View): object => ({
  ...mintedApiKeyView(issued, {
    requestId: view.requestId,
    caller: view.caller,
    steps: () => [],
    cursor: () => null,
  }),
  nextSteps: stepsTo(
    view,
    ['whoami', 'getWhoami', 'Call with the new key, to see what it may do'],
    ['list-keys', 'listApiKeys', 'List the keys of the org'],
    [
      'revoke',
      'updateApiKey',
      'Revoke the key when it is no longer needed',
      { keyId: issued.key.id },
    ],
  ),
});
