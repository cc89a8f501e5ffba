import { NotaryError } from '../../../domain/kernel/errors.ts';

/** What the act is refused with; whatever else it throws goes on. */
export const refusalOf = (act: () => unknown): NotaryError => {
  try {
    act();
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

/** The same of an act that takes its time. */
export const refusalFrom = async (act: Promise<unknown>): Promise<NotaryError> => {
  try {
    await act;
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
