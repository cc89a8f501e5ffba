import type {
  SecretCheck,
  SecretName,
} from '../../../application/operations/secret-checks.port.ts';
import { BYTES, INSTANT, INTEGER, oneOf } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const SECRET_CHECKS = table('secret_checks', {
  secret: column('secret', oneOf<SecretName>()),
  generation: column('generation', INTEGER),
  salt: column('salt', BYTES),
  value: column('check_value', BYTES),
  createdAt: column('created_at', INSTANT),
} satisfies { readonly [member in keyof SecretCheck]: unknown });
