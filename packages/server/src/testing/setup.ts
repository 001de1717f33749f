/** Runs before the tests of every file: an answer that its description does not allow fails its test. */
import { afterAll, afterEach } from 'vitest'
import { wrongAnswers } from './wrong-answers.ts'

const failOnWrongAnswers = () => {
  const wrongSamples = [...new Set(wrongAnswers.splice(0))].slice(0, 5)
  if (wrongSamples.length > 0) throw new Error(wrongSamples.join('\n\n'))
}
afterEach(failOnWrongAnswers)
afterAll(failOnWrongAnswers)
