/**
 * How the program is cut into files: what is wanted together travels together, because many small files compress worse
 * and each of them is a request. What belongs to a moment follows from the imports, so that no list has to be kept.
 */
import type { Rolldown } from 'vite'

/**
 * The moments of a visit, after the sign-in form, by the modules that are loaded then. What an earlier moment brings is
 * there for all later ones.
 */
const moments = {
  /** The frame of the panel and the first list. */
  panel: ['app/panel-routes.tsx', 'resource/list/list-screen.tsx', 'features/people/lists.ts'],
} as const

/** Modules that are loaded on their own, in any order; modules that two of them share are a file of their own. */
const parts = {
  /** What every list and the frame have besides, once the rows are there. */
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
  /** Work on rows: cells, bars, keys. */
  work: ['resource/list/bulk/bar.tsx', 'resource/list/row-work/row-work.tsx'],
  /** One record, read or written. */
  form: ['resource/form/form-screen.tsx', 'resource/record/record-screen.tsx'],
  menu: ['ui/overlays/menu-root.tsx'],
  popover: ['ui/overlays/popover-root.tsx', 'ui/inputs/search-select-root.tsx'],
  select: ['ui/inputs/select-root.tsx'],
  dialog: ['ui/overlays/dialog-frame.tsx'],
} as const

/** What more parts than these have in common is one file. */
const mostNamed = 3

/** Files of their own, outside the program. */
const ofFirstPaint = /\/panel\/src\/(first-paint\.(css|js)|fonts\.css|service-worker\.js)$/

const isIcon = /\/lucide-react\//

/** The texts of the help: a file for each language, under a name that can be listed. */
const helpTexts = /\/model\/src\/labels\/help\/(\w+)\.json$/

type Graph = (id: string) => { importedIds: readonly string[]; importers: readonly string[] } | null

const isOurs = (id: string, path: string) => id.endsWith(`/packages/panel/src/${path}`)

/** All that is loaded with a module: what it imports, and what that imports. */
function loadedWith(root: string, graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [root]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    found.add(id)
    queue.push(...(graph(id)?.importedIds ?? []))
  }
  return found
}

/**
 * The module that a name of the lists above means.
 *
 * @throws Error where the build has none: a file that was renamed would otherwise change the files of the program unseen.
 */
function moduleAt(path: string, ids: readonly string[]): string {
  const found = ids.find((id) => isOurs(id, path))
  if (found === undefined) throw new Error(`build/chunks.ts names src/${path}, which is no module of the build`)
  return found
}

type Closures = ReadonlyMap<string, ReadonlySet<string>>

/** What the modules of each name load, all together. */
function closuresOf(
  named: Readonly<Record<string, readonly string[]>>,
  ids: readonly string[],
  graph: Graph,
): Closures {
  return new Map(
    Object.entries(named).map(([name, paths]) => [
      name,
      new Set(paths.flatMap((path) => [...loadedWith(moduleAt(path, ids), graph)])),
    ]),
  )
}

/** What something outside of the parts needs as well, with all that it loads: it must not bring the whole part with it. */
function sharedOutside(closures: Closures, graph: Graph): ReadonlySet<string> {
  const inParts = new Set([...closures.values()].flatMap((modules) => [...modules]))
  const isWanted = (id: string) => graph(id)?.importers.some((importer) => !inParts.has(importer))
  return new Set([...inParts].filter(isWanted).flatMap((id) => [...loadedWith(id, graph)]))
}

/** The groups of the build: the sign-in form, the moments after it, and the parts with what they share. */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  // Filled by the first look at all modules, which the bundler takes before it asks for any name.
  const ids = new Set<string>()
  let known: { moments: Closures; parts: Closures; outside: ReadonlySet<string> } | undefined
  const read = (graph: Graph) => {
    const all = [...ids]
    const closures = closuresOf(parts, all, graph)
    return { moments: closuresOf(moments, all, graph), parts: closures, outside: sharedOutside(closures, graph) }
  }
  // A module imports only what all of its own parts load too, so files never import each other in a circle.
  const nameOf = (id: string, graph: Graph): string | null => {
    const [, language] = helpTexts.exec(id) ?? []
    if (language !== undefined) return `help-${language}`
    known ??= read(graph)
    for (const [name, modules] of known.moments) if (modules.has(id)) return name
    const names = [...known.parts].filter(([, modules]) => modules.has(id)).map(([name]) => name)
    if (names.length === 0) return null
    if (names.length > mostNamed) return 'shared'
    if (!known.outside.has(id)) return names.join('-')
    return isIcon.test(id) ? 'icons' : `${names.join('-')}-and-others`
  }
  return [
    { name: 'start', tags: ['$initial'], test: (id) => !ofFirstPaint.test(id), priority: 1 },
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
