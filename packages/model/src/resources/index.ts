/** The registry of everything that exists; a new resource is one file and one line here. */
import { about } from './about.ts'
import { activitytypes } from './activitytypes.ts'
import { additionalinfos } from './additionalinfos.ts'
import { agrocultureareas } from './agrocultureareas.ts'
import { attachments } from './attachments.ts'
import { audit } from './audit.ts'
import { branches } from './branches.ts'
import { chatmessages } from './chatmessages.ts'
import { chatrooms } from './chatrooms.ts'
import { companies } from './companies.ts'
import { companycategories } from './companycategories.ts'
import { consultantcategories } from './consultantcategories.ts'
import { consultationcategories } from './consultationcategories.ts'
import { consultations } from './consultations.ts'
import { coursecategories } from './coursecategories.ts'
import { courses } from './courses.ts'
import { coursetypes } from './coursetypes.ts'
import { directions } from './directions.ts'
import { districts } from './districts.ts'
import { faqs } from './faqs.ts'
import { genders } from './genders.ts'
import { insert_excel } from './insert-excel.ts'
import { lessongroups } from './lessongroups.ts'
import { lessons } from './lessons.ts'
import { listviews } from './listviews.ts'
import { moderationreasons } from './moderationreasons.ts'
import { moderationwords } from './moderationwords.ts'
import { news } from './news.ts'
import { pages } from './pages.ts'
import { partners } from './partners.ts'
import { pricedates } from './pricedates.ts'
import { pricelists } from './pricelists.ts'
import { productcategories } from './productcategories.ts'
import { products } from './products.ts'
import { regions } from './regions.ts'
import { replytemplates } from './replytemplates.ts'
import { roles } from './roles.ts'
import { servicecategories } from './servicecategories.ts'
import { serviceposts } from './serviceposts.ts'
import { sliders } from './sliders.ts'
import { staff } from './staff.ts'
import { statistics } from './statistics.ts'
import { statuses } from './statuses.ts'
import { tags } from './tags.ts'
import { tools } from './tools.ts'
import { tradingpostcategories } from './tradingpostcategories.ts'
import { tradingposttypes } from './tradingposttypes.ts'
import { tradinposts } from './tradinposts.ts'
import { units } from './units.ts'
import { uploads } from './uploads.ts'
import { users } from './users.ts'

/** In the order of the menu. */
const declared = {
  users,
  staff,
  audit,
  consultations,
  chatrooms,
  chatmessages,
  statistics,
  courses,
  lessons,
  lessongroups,
  pricedates,
  pricelists,
  tradinposts,
  serviceposts,
  tools,
  companies,
  news,
  pages,
  about,
  branches,
  attachments,
  partners,
  regions,
  districts,
  servicecategories,
  productcategories,
  products,
  units,
  companycategories,
  directions,
  activitytypes,
  agrocultureareas,
  tradingpostcategories,
  tradingposttypes,
  moderationreasons,
  moderationwords,
  consultantcategories,
  consultationcategories,
  faqs,
  replytemplates,
  coursecategories,
  coursetypes,
  sliders,
  genders,
  statuses,
  tags,
  additionalinfos,
  roles,
  uploads,
  insert_excel,
  listviews,
} as const

export type Resources = typeof declared
export type ResourceName = keyof Resources

/** Every resource by name. The server checks them at its start (`buildRegistry`), a browser need not. */
export const resources: Resources = declared
