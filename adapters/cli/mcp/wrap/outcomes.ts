import { isObject } from './messages.ts';
import type { Outcome } from './wrap-type.ts';

/** How a call ended, by its answer; null where the answer tells how a task stands, and nothing of its result. */
export const outcomeOf = (
  asks: 'call' | 'task',
  result: unknown,
  error: unknown,
): Outcome | null => {
  if (error !== undefined) return 'error';
  if (asks === 'task') return isStanding(result) ? null : endOfTask(result);
  if (isObject(result) && result['resultType'] === 'input_required') return 'input-required';
  return taskIn(result) === undefined ? 'result' : 'task';
};

/** The task that a call goes on as; undefined where this is its result. */
export const taskIn = (result: unknown): string | undefined => {
  if (!isObject(result) || result['content'] !== undefined) return undefined;
  const { task } = result;
  const { taskId } = isObject(task) ? task : result;
  return typeof taskId === 'string' ? taskId : undefined;
};

/** Of tasks/get: a task that is not done, or whose result is asked for with tasks/result. */
const isStanding = (result: unknown): boolean =>
  isObject(result) &&
  result['content'] === undefined &&
  typeof result['status'] === 'string' &&
  result['result'] === undefined &&
  result['error'] === undefined;

/** Of tasks/result, which is what the call would have been answered with, or of tasks/get, which holds that. */
const endOfTask = (result: unknown): Outcome =>
  isObject(result) && result['error'] !== undefined ? 'error' : 'result';
