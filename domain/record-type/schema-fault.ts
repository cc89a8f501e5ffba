import type { FieldError } from '../kernel/errors.ts';

export const fault = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});
