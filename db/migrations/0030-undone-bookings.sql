-- A booking that is being undone, because its request got no answer. Nothing may confirm it any more: a repeated request
-- confirmed it while its table was being canceled at the restaurant.
alter table reservations add column undoing boolean not null default false;

-- A booking or cancellation without an answer is settled for days. After four hours it was left as it was, so that a
-- table could stay reserved for somebody who had been told that the booking had failed.
update jobs.queue set retry_limit = 400, retry_delay_max = 1800 where name = 'reservations';
