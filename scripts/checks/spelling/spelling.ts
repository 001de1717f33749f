/**
 * Refuses texts in Karakalpak, Uzbek and Russian that are not spelled by the rules of the languages.
 * `node scripts/checks/spelling/spelling.ts` lists the findings.
 */
import { failedTally, passedTally, type Step } from '../../lib/step.ts'
import { findMisspellings } from './rules.ts'
import { readTexts } from './texts.ts'

export const spelling: Step = {
  name: 'Spelling',
  independent: true,
  run: async () => {
    const misspellings = findMisspellings(await readTexts())
    return misspellings.length === 0 ? passedTally : { ...failedTally, output: misspellings.join('\n') }
  },
}

if (import.meta.main) {
  const { output = '', failed } = await spelling.run()
  if (output !== '') console.log(output)
  process.exitCode = failed
}
