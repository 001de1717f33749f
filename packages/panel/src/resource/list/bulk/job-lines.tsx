/** The running bulk jobs of a list, with their progress and a button that stops them. */
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { stopJob } from './api.ts'
import { useJobs } from './jobs.ts'
import { JobProgress } from './steps.tsx'

export function JobLines({ wire }: { wire: string }) {
  const t = useT()
  const jobs = useJobs(wire)
  return jobs.map((job) => (
    <div key={job.id} className="flex items-center gap-4 border-t border-line px-4 py-2.5">
      <div className="max-w-[420px] min-w-0 flex-1">
        <JobProgress job={job} label={t('bulk.working')} />
      </div>
      <Button kind="quiet" onClick={() => void stopJob(job.id)}>
        {t('bulk.stop')}
      </Button>
    </div>
  ))
}
