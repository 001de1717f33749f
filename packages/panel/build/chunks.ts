/**
 * Splits the program into files. Modules that are needed at the same time share a file: many small files
 * compress worse, and each one costs a request. The stages follow from the imports, so no list has to be
 * maintained.
 */
import type { Rolldown } from 'vite'

/**
 * The stages of a visit after the sign-in form, by the modules that each one loads. Every stage includes the
 * modules of the earlier ones.
 */
const moments = {
  /** Modules of the panel's shell and of the first list. */
  panel: ['app/panel-routes.tsx', 'resource/list/list-screen.tsx', 'features/people/lists.ts'],
} as const

/**
 * Modules that are loaded on their own, in any order; modules that two of them share become a file of their
 * own.
 */
const parts = {
  /** Modules added to the shell and to every list, loaded after the rows of the list. */
  extras: [
    'app/shell/demo-bar.tsx',
    'app/help/help-ahead.tsx',
    'app/help/help-panel.tsx',
    'app/shell/menu/pinned-views.tsx',
    'app/shell/tools.tsx',
    'features/chat/notices/desk-notices.tsx',
    'features/chat/outbox/sender.ts',
    'features/chat/outbox/unsent-question.tsx',
    'resource/list/rows/column-edge.tsx',
    'resource/list/notices.tsx',
    'resource/list/tools.tsx',
    'resource/views/menu.tsx',
    'resource/live/notice.tsx',
    'resource/live/updates.ts',
    'ui/feedback/toast-list.tsx',
  ],
  /** Modules for work on the rows of a list: cell editing, bulk bar, keys. */
  work: ['resource/list/bulk/bar.tsx', 'resource/list/row-actions/row-tools.tsx'],
  /** Modules that show or edit one record. */
  form: ['resource/form/form-screen.tsx', 'resource/record/record-screen.tsx'],
  menu: ['ui/overlays/menu-root.tsx'],
  popover: ['ui/overlays/popover-root.tsx', 'ui/inputs/search-select-root.tsx'],
  select: ['ui/inputs/select-root.tsx'],
  dialog: ['ui/overlays/dialog-frame.tsx'],
} as const

/** Largest number of chunks that share a module: a module of more chunks is built into one file. */
const maxNamedModules = 3

/** Modules of the first paint, which belong to no group of the program. */
const firstPaintPattern = /\/panel\/src\/(first-paint\.(css|js)|fonts\.css|service-worker\.js)$/

const isIcon = /\/lucide-react\//

/** The help texts: a file for each language, with a name that can be listed. */
const helpTexts = /(?:\/model\/src\/labels\/help\/|virtual:help\/)([\w-]+)(?:\.json)?$/

interface ModuleOfBuild {
  code: string | null
  exports: readonly string[]
  importedIds: readonly string[]
  importers: readonly string[]
}
type FindModule = (id: string) => ModuleOfBuild | null

/** Imports of the build's modules, in both directions. */
interface Graph {
  importedBy: (id: string) => readonly string[]
  importersOf: (id: string) => readonly string[]
}

/**
 * The entry module of the model package has no code of its own. A module loads only the modules behind the
 * entry whose names it imports.
 */
const isModelEntry = (id: string) => id.endsWith('/packages/model/src/index.ts')
const namesOfModel = /(?:import|export)(?: \{([^}]*)\} from)? "@dala\/model"/g

/**
 * Returns the import graph without the entry module of the model package.
 *
 * @throws Error where a module imports the entry in another spelling. Otherwise its imports would be missed
 *   unnoticed.
 */
function graphOf(find: FindModule): Graph {
  const namesIn = (id: string) => {
    const lists = [...(find(id)?.code ?? '').matchAll(namesOfModel)].map(([, list = '']) => list)
    if (lists.length === 0) throw new Error(`${id} imports the model in a spelling that build/chunks.ts does not read`)
    return lists.flatMap((list) => list.split(',').map((part) => part.trim().replace(/ as .*/, '')))
  }
  const declaresNames = (id: string, names: readonly string[]) => find(id)?.exports.some((name) => names.includes(name))
  return {
    importedBy: (id) =>
      (find(id)?.importedIds ?? []).flatMap((imported) => {
        if (!isModelEntry(imported)) return imported
        const names = namesIn(id)
        return (find(imported)?.importedIds ?? []).filter((behind) => declaresNames(behind, names))
      }),
    importersOf: (id) =>
      (find(id)?.importers ?? []).flatMap((importer) =>
        isModelEntry(importer)
          ? (find(importer)?.importers ?? []).filter((one) => declaresNames(id, namesIn(one)))
          : importer,
      ),
  }
}

const isOurs = (id: string, path: string) => id.endsWith(`/packages/panel/src/${path}`)

/** All modules that are loaded with a module: its imports, and the imports of those. */
function findLoadedModules(root: string, graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [root]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    found.add(id)
    queue.push(...graph.importedBy(id))
  }
  return found
}

/**
 * Resolves a module name of the chunk lists to its module.
 *
 * @throws Error where the build has no such module. Otherwise a renamed file would change the groups
 *   unnoticed.
 */
function moduleAt(path: string, ids: readonly string[]): string {
  const found = ids.find((id) => isOurs(id, path))
  if (found === undefined) throw new Error(`build/chunks.ts names src/${path}, which is no module of the build`)
  return found
}

type Closures = ReadonlyMap<string, ReadonlySet<string>>

/** Modules that the given modules load directly or indirectly. */
function closuresOf(
  named: Readonly<Record<string, readonly string[]>>,
  ids: readonly string[],
  moduleGraph: Graph,
): Closures {
  return new Map(
    Object.entries(named).map(([name, paths]) => [
      name,
      new Set(paths.flatMap((path) => [...findLoadedModules(moduleAt(path, ids), moduleGraph)])),
    ]),
  )
}

/**
 * Modules that code outside of the parts needs too, with everything they load. They are bundled separately, so
 * that this code does not load a whole part.
 */
function findSharedModules(closures: Closures, graph: Graph): ReadonlySet<string> {
  const partModules = new Set([...closures.values()].flatMap((modules) => [...modules]))
  const isWanted = (id: string) => graph.importersOf(id).some((importer) => !partModules.has(importer))
  return new Set([...partModules].filter(isWanted).flatMap((id) => [...findLoadedModules(id, graph)]))
}

/**
 * The groups of the build: the sign-in form, the stages after it, and the parts with their shared modules.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  // Ids of all modules. The set is filled on the first request for a group name, when the bundler knows all
  // modules.
  const ids = new Set<string>()
  let known: { moments: Closures; parts: Closures; outside: ReadonlySet<string> } | undefined
  const read = (find: FindModule) => {
    const all = [...ids]
    const moduleGraph = graphOf(find)
    const closures = closuresOf(parts, all, moduleGraph)
    return {
      moments: closuresOf(moments, all, moduleGraph),
      parts: closures,
      outside: findSharedModules(closures, moduleGraph),
    }
  }
  // A module of the build imports only modules that all of its chunks load too, which prevents import cycles
  // of files.
  const nameOf = (id: string, find: FindModule): string | null => {
    const [, language] = helpTexts.exec(id) ?? []
    if (language !== undefined) return `help-${language}`
    known ??= read(find)
    for (const [name, modules] of known.moments) if (modules.has(id)) return name
    const names = [...known.parts].filter(([, modules]) => modules.has(id)).map(([name]) => name)
    if (names.length === 0) return null
    if (names.length > maxNamedModules) return 'shared'
    if (!known.outside.has(id)) return names.join('-')
    return isIcon.test(id) ? 'icons' : `${names.join('-')}-and-others`
  }
  return [
    { name: 'start', tags: ['$initial'], test: (id) => !firstPaintPattern.test(id), priority: 1 },
    {
      debugName: 'moments and parts',
      name: (id, context) => nameOf(id, (module) => context.getModuleInfo(module)),
      test: (id) => {
        ids.add(id)
        return true
      },
      includeDependenciesRecursively: false,
    },
  ]
}
