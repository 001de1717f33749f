/** What was wrong with the answers of the tests so far; apart from its maker, which loads the whole application. */
export const wrongAnswers: string[] = []
