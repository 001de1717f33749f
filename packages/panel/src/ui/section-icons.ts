/** The icon of each section of the menu, also for records without a picture. */
import type { SectionName } from '@dala/model'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import GraduationCap from 'lucide-react/icons/graduation-cap'
import HeartHandshake from 'lucide-react/icons/heart-handshake'
import Newspaper from 'lucide-react/icons/newspaper'
import Settings from 'lucide-react/icons/settings'
import Users from 'lucide-react/icons/users'
import Wheat from 'lucide-react/icons/wheat'

export const sectionIcons: Readonly<Record<SectionName, typeof Settings>> = {
  advice: HeartHandshake,
  insight: ChartNoAxesColumn,
  people: Users,
  learning: GraduationCap,
  market: Wheat,
  content: Newspaper,
  settings: Settings,
}
