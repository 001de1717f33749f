/** `npm run check`: everything that can be said about the code without running the product. */
import { advisoryStep } from './advisories.ts'
import { installedProgram, run } from './processes.ts'
import { promiseStep } from './promises.ts'
import { failedOne, passedOne, runSteps, type Step } from './step.ts'

/** A check is a program that ends with 0; its output is shown when it does not, and always where it has `remarks`. */
function check(name: string, program: string, args: readonly string[], { remarks = false } = {}): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await run(program, args)
      if (code !== 0 || remarks) console.log(output)
      return code === 0 ? passedOne : failedOne
    },
  }
}

const typedFolders = ['packages/model', 'packages/server', 'packages/panel', 'clients', 'e2e', 'scripts']

export const checks: readonly Step[] = [
  check('Lock file', process.execPath, ['scripts/complete-lock.ts', '--check']),
  check('Format', installedProgram('oxfmt'), ['--check']),
  check('Lint', installedProgram('oxlint'), ['packages', 'clients', 'scripts', 'e2e']),
  ...typedFolders.map((folder) => check(`Types of ${folder}`, installedProgram('tsc'), ['-p', folder])),
  check(
    'Import directions',
    installedProgram('depcruise'),
    ['--config', '.dependency-cruiser.mjs', 'packages', 'clients', 'e2e'],
    { remarks: true },
  ),
  check('Unused code', installedProgram('knip'), []),
  advisoryStep,
  promiseStep,
  check('Words in four languages', installedProgram('vitest'), ['run', '--root', 'packages/model', 'label', 'help']),
]

if (import.meta.main) {
  const { failed } = await runSteps(checks)
  process.exit(failed > 0 ? 1 : 0)
}
