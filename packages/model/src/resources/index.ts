/** The registry of all resources; a new resource is one file and one line here. */
import { about } from './content/about.ts'
import { absences } from './desk/absences.ts'
import { activitytypes } from './reference/activitytypes.ts'
import { additionalinfos } from './reference/additionalinfos.ts'
import { agrocultureareas } from './reference/agrocultureareas.ts'
import { attachments } from './content/attachments.ts'
import { audit } from './people/audit.ts'
import { branches } from './content/branches.ts'
import { chatmessages } from './desk/chatmessages.ts'
import { chatrooms } from './desk/chatrooms.ts'
import { companies } from './market/companies.ts'
import { companycategories } from './reference/companycategories.ts'
import { consultantcategories } from './reference/consultantcategories.ts'
import { consultationcategories } from './reference/consultationcategories.ts'
import { consultations } from './desk/consultations.ts'
import { coursecategories } from './reference/coursecategories.ts'
import { courses } from './learning/courses.ts'
import { coursetypes } from './reference/coursetypes.ts'
import { directions } from './reference/directions.ts'
import { districts } from './reference/districts.ts'
import { faqs } from './reference/faqs.ts'
import { genders } from './reference/genders.ts'
import { insert_excel } from './market/insert-excel.ts'
import { lessongroups } from './learning/lessongroups.ts'
import { lessons } from './learning/lessons.ts'
import { listviews } from './people/listviews.ts'
import { moderationreasons } from './reference/moderationreasons.ts'
import { moderationwords } from './reference/moderationwords.ts'
import { news } from './content/news.ts'
import { pages } from './content/pages.ts'
import { partners } from './content/partners.ts'
import { pricedates } from './market/pricedates.ts'
import { pricelists } from './market/pricelists.ts'
import { productcategories } from './reference/productcategories.ts'
import { products } from './reference/products.ts'
import { regions } from './reference/regions.ts'
import { replytemplates } from './reference/replytemplates.ts'
import { roles } from './people/roles.ts'
import { routingrules } from './desk/routingrules.ts'
import { servicecategories } from './reference/servicecategories.ts'
import { serviceposts } from './market/serviceposts.ts'
import { sliders } from './reference/sliders.ts'
import { staff } from './people/staff.ts'
import { statistics } from './people/statistics.ts'
import { statuses } from './reference/statuses.ts'
import { tags } from './reference/tags.ts'
import { tools } from './market/tools.ts'
import { tradingpostcategories } from './reference/tradingpostcategories.ts'
import { tradingposttypes } from './reference/tradingposttypes.ts'
import { tradinposts } from './market/tradinposts.ts'
import { units } from './reference/units.ts'
import { uploads } from './content/uploads.ts'
import { users } from './people/users.ts'

/** All declared resources, in the order of the menu. */
const declaredResources = {
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
  routingrules,
  absences,
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

export type Resources = typeof declaredResources
export type ResourceName = keyof Resources

/**
 * Every resource by name. The server checks them at start-up (`buildRegistry`); a browser does not need to.
 */
export const resources: Resources = declaredResources
