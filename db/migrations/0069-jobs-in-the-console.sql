-- The jobs of one program that wait, run, or have failed for good: the console lists them, the latest first. Completed jobs
-- are not among them.
create index job_by_program on jobs.job ((data ->> 'partnerId'), created_on desc, id desc) where state < 'completed';
