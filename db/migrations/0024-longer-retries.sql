-- Work that other services are part of is repeated for hours. A fault of two minutes ended a password recovery for good,
-- and one of an hour a notification, a claim's decision or a card's move.
update jobs.queue set retry_limit = 8 where name = 'emails';
update jobs.queue set retry_limit = 8, retry_delay_max = 3600 where name = 'notifications';
update jobs.queue set retry_limit = 16, retry_delay = 5, retry_delay_max = 900 where name = 'recovery-requests';
update jobs.queue set retry_limit = 18 where name in ('claim-decisions', 'card-moves');
