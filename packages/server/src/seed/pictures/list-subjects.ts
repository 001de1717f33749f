/** Pictures of reference lists and of the pages about the service, as the demo draws them. */
import additions from '../data/additions.json' with { type: 'json' }
import reference from '../data/reference.json' with { type: 'json' }
import { goods, drawnGoods } from './goods.ts'
import { scene, type SceneKind } from './scenes.ts'
import type { Subject } from './subjects.ts'

/** Landscapes of list items by slug; items of goods show the goods. */
const sceneOfEntry = {
  field: [
    'sowing',
    'soil-test',
    'producer',
    'agro-cluster',
    'agronomy',
    'soil',
    'crop-cultivation',
    'soil-salinity',
    'crops',
    'climate',
    'grain',
    'vegetables',
    'fodder',
    'oilseeds',
    'melons',
    'industrial',
    'seeds',
    'feed',
    'land-lease',
  ],
  water: ['drip-irrigation', 'irrigation', 'water', 'water-saving', 'fishery', 'fish'],
  market: [
    'transport',
    'cold-storage',
    'processor',
    'exporter',
    'logistics',
    'marketing',
    'market',
    'business',
    'storage',
  ],
  livestock: [
    'veterinary',
    'insemination',
    'livestock',
    'animals',
    'animal-health',
    'animal-feeding',
    'animal-products',
    'cattle',
    'sheep-goat',
    'horse-camel',
    'poultry',
    'meat',
    'dairy-eggs',
  ],
  greenhouse: ['greenhouse', 'plant-protection', 'pests-diseases', 'protection', 'medicinal-plants', 'fertilisation'],
  training: ['consulting', 'ngo', 'other', 'services'],
  orchard: ['horticulture', 'viticulture', 'sericulture', 'beekeeping', 'honey', 'fruits', 'nuts-dried', 'processing'],
  machinery: [
    'ploughing',
    'harvesting',
    'laser-levelling',
    'spraying',
    'machinery',
    'equipment',
    'inputs',
    'input-supplier',
  ],
  office: [
    'certification',
    'legal',
    'accounting',
    'bank',
    'insurance',
    'laboratory',
    'finance',
    'law',
    'credit-subsidy',
    'land-law',
    'taxes',
  ],
  digital: ['drone', 'digital'],
} satisfies Record<SceneKind, readonly string[]>

const kindsOfEntries = new Map(
  Object.entries(sceneOfEntry).flatMap(([kind, slugs]) => slugs.map((slug) => [slug, kind as SceneKind] as const)),
)

/** Reference lists whose items show a picture. */
const lists = [
  'servicecategories',
  'productcategories',
  'companycategories',
  'agrocultureareas',
  'tradingpostcategories',
  'consultantcategories',
  'consultationcategories',
  'coursecategories',
] as const

/** Returns the drawn goods of a list's entry: its own, or the first product of a category. */
function goodsOf(list: (typeof lists)[number], slug: string): string | undefined {
  const firstSubjects =
    list === 'productcategories'
      ? reference.products.find(({ productcategory }) => productcategory === slug)?.slug
      : undefined
  return [slug, firstSubjects].find((name) => name !== undefined && drawnGoods.includes(name))
}

/**
 * Lists the pictures of the reference lists.
 *
 * @returns A picture for each entry of each list, and for each page about the service.
 * @throws When an entry has no picture.
 */
export function listPictures(): Subject[] {
  const entries = lists.flatMap((list) =>
    reference[list].map(({ slug }): Subject => {
      const name = `${list}-${slug}`
      const product = goodsOf(list, slug)
      const kind = kindsOfEntries.get(slug)
      if (product === undefined && kind === undefined) throw new Error(`Nothing stands for "${slug}" of ${list}`)
      return {
        resource: list,
        key: slug,
        field: 'image',
        label: `${name}.jpg`,
        drawing: () => (product === undefined ? scene(kind ?? 'field', name) : goods(product, name)),
      }
    }),
  )
  const pages = additions.pages.map(({ slug }): Subject => ({
    resource: 'pages',
    key: slug,
    field: 'image',
    label: `page-${slug}.jpg`,
    drawing: () => scene('office', `page-${slug}`),
  }))
  return [...entries, ...pages]
}
