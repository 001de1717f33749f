/**
 * Wrong answers of the tests so far, apart from the code that finds them, which loads the whole application.
 */
export const wrongAnswers: string[] = []
