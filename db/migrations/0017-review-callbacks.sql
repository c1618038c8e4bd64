-- A review that its program does not accept for a week becomes a dead letter, as every other failed job. Before, its job
-- ended without a trace. The retries cover the week: ten with growing intervals, which take up to two hours, and then
-- one per hour.
update jobs.queue set retry_limit = 177 where name = 'review-callbacks';
update jobs.job set retry_limit = 177 where name = 'review-callbacks' and state < 'completed';
