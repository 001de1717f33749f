-- 0055-report-filters: each record of a filter has rows of its own in the counts of days, so that a report with a
-- filter reads only those. Counts are no facts: all of them are made anew in the background.
delete from report_days;
truncate report_counts;
-- Document or code within whose filter the slice counts; empty for all facts.
alter table report_counts drop constraint report_counts_pkey;
alter table report_counts add column within text not null;
alter table report_counts add primary key (measure, slice, within, day);
