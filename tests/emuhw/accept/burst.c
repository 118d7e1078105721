/* SPDX-License-Identifier: GPL-2.0-or-later */
/* burst MODE CPU SECONDS: one pinned thread of scalar (0), 256-bit (1) or 512-bit (2) work. */
#include "config.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_CPUS 4096

static volatile int stop, mode;

__attribute__((target("avx512f"))) static void work_512(void)
{
	__m512d x = _mm512_set1_pd(1.0), y = _mm512_set1_pd(1e-9);
	volatile double sink;

	while (!stop)
		for (int i = 0; i < 1000; i++)
			x = _mm512_fmadd_pd(x, y, x);
	sink = _mm512_reduce_add_pd(x);
	(void)sink;
}

__attribute__((target("avx2,fma"))) static void work_256(void)
{
	__m256d x = _mm256_set1_pd(1.0), y = _mm256_set1_pd(1e-9);
	volatile double sink;

	while (!stop)
		for (int i = 0; i < 1000; i++)
			x = _mm256_fmadd_pd(x, y, x);
	sink = _mm256_cvtsd_f64(x);
	(void)sink;
}

static void work_scalar(void)
{
	volatile double x = 1;

	while (!stop)
		x = x * 1.0000001;
}

static void *work(void *cpu)
{
	size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);

	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	if (sched_setaffinity(0, size, set))
		perror("sched_setaffinity");
	CPU_FREE(set);
	if (mode == 2)
		work_512();
	else if (mode == 1)
		work_256();
	else
		work_scalar();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 4)
		return 2;
	mode = atoi(argv[1]);
	if (pthread_create(&thread, NULL, work, (void *)atol(argv[2])))
		return 1;
	usleep((useconds_t)(atof(argv[3]) * 1e6));
	stop = 1;
	pthread_join(thread, NULL);
	return 0;
}
