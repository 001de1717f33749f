/**
 * Stores the wrong answers of the tests so far. The module is separate from the code that finds them, because
 * that code loads the whole application.
 */
export const wrongAnswers: string[] = []
