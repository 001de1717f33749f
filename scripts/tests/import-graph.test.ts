import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closures } from '../check.ts'
import { isInput } from '../checks/passed-before.ts'
import { measureDistances, importsIn, readImporters, readRepositoryImporters } from './import-graph.ts'

describe('importsIn', () => {
  it('finds every form of an import in a source file', () => {
    const text = `import { a } from './a.ts'
import type { B } from '../b.tsx'
import './c.css'
export * from './d.ts'
const e = await import('./e.ts')
vi.mock('./f.ts')
import href from './g.css?url'
new Worker(new URL('./h.ts', import.meta.url))
import {
  many,
} from "./i.ts"
import { readFileSync } from 'node:fs'
import pg from 'pg'`
    const names = ['a.ts', '../b.tsx', 'c.css', 'd.ts', 'e.ts', 'f.ts', 'g.css', 'h.ts', 'i.ts']
    expect(importsIn(text, 'scripts/tests/x.ts')).toEqual(names.map((name) => join('scripts/tests', name)))
  })

  it("finds imports of the repository's packages by their names", () => {
    const text = `import { x } from '@dala/model'
import { contract } from '@dala/model/api/contract'
import { routes } from '@dala/model/api'
import en from '@dala/model/labels/help/en.json'
import { seed } from '@dala/server/seed'`
    expect(importsIn(text, 'e2e/x.ts')).toEqual([
      'packages/model/src/index.ts',
      'packages/model/src/api/routes/contract.ts',
      'packages/model/src/api/routes/index.ts',
      'packages/model/src/labels/help/en.json',
      'packages/server/src/seed/index.ts',
    ])
  })
})

describe('distancesFrom', () => {
  it('counts the imports between a file and a changed one, also in circular imports', () => {
    const root = mkdtempSync(join(tmpdir(), 'dala-graph-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const files = {
      'lib/a.ts': '',
      'lib/b.ts': "import './a.ts'\nimport './c.ts'",
      'lib/c.ts': "import './b.ts'",
      'app.ts': "import './lib/c.ts'",
      'other.ts': '',
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    const importers = readImporters(root, [...Object.keys(files), 'removed.ts'])
    expect(Object.fromEntries(measureDistances(importers, ['lib/a.ts']))).toEqual({
      'lib/a.ts': 0,
      'lib/b.ts': 1,
      'lib/c.ts': 2,
      'app.ts': 3,
    })
  })
})

describe('isInput', () => {
  it('counts every file that a folder of code imports, directly or not, as an input of its checks', async () => {
    const importers = await readRepositoryImporters()
    const readers = Object.entries(closures)
    const missingInputs = [...importers.keys()].flatMap((importedFile) =>
      [...measureDistances(importers, [importedFile]).keys()].flatMap((file) =>
        readers
          .filter(([folder, reads]) => file.startsWith(`${folder}/`) && !isInput(importedFile, reads))
          .map(([folder]) => `${folder} reads ${importedFile}`),
      ),
    )
    expect([...new Set(missingInputs)]).toEqual([])
  })
})
