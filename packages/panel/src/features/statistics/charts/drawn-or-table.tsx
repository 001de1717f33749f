/** A sheet with a drawing and its table, and a button that changes between them. */
import { type ReportKey } from '@dala/model'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Table2 from 'lucide-react/icons/table-2'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { FigureExplanation } from '../how-counted.tsx'

interface DrawnOrTableProps {
  report: ReportKey
  metric: string
  name: string
  drawing: ReactNode
  table: ReactNode
  /** Whether the figure has no values to draw or to list. */
  isEmpty: boolean
}

export function DrawnOrTable({ report, metric, name, drawing, table, isEmpty }: DrawnOrTableProps) {
  const t = useT()
  const [isTableShown, setTableShown] = useState(false)
  return (
    <Sheet hasPadding className="min-w-0">
      <div className="mb-3 flex items-center justify-between gap-x-4">
        <div className="flex min-w-0 items-center gap-1.5">
          <h2 className="min-w-0 text-lg leading-tight font-semibold">{name}</h2>
          <FigureExplanation report={report} metric={metric} />
        </div>
        <IconButton
          className="-me-2"
          label={t(isTableShown ? 'statistics.asChartOf' : 'statistics.asTableOf', { name })}
          icon={isTableShown ? <ChartNoAxesColumn size={18} aria-hidden /> : <Table2 size={18} aria-hidden />}
          onClick={() => setTableShown(!isTableShown)}
        />
      </div>
      {isTableShown ? table : isEmpty ? <p className="text-muted">{t('empty.noData')}</p> : drawing}
    </Sheet>
  )
}
