/** `npm run verify`: the long proofs, at full dose with figures; `npm test` runs each in a small one. */
import { killCycles } from './kill-cycles.ts'
import { failedOne, passedOne, runSteps, type Step } from './step.ts'

export type Dose = 'small' | 'full'

const doses = { killCycles: { small: 3, full: 20 } } as const

/** Every long proof in that dose, one step each. */
export function proofs(dose: Dose): readonly Step[] {
  return [
    {
      name: `Proof: kill -9 during writes, ${doses.killCycles[dose]} cycles`,
      run: async () => ((await killCycles(doses.killCycles[dose])).harmless ? passedOne : failedOne),
    },
  ]
}

if (import.meta.main) {
  const position = process.argv.indexOf('--dose')
  const dose = position >= 0 ? process.argv[position + 1] : 'full'
  if (dose !== 'small' && dose !== 'full') {
    console.error('--dose is small or full.')
    process.exit(2)
  }
  const { failed } = await runSteps(proofs(dose))
  process.exit(failed > 0 ? 1 : 0)
}
